import { lookup as lookupName } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPrivateAddress, isPrivateHost, PRIVATE_ADDRESS_CODE } from '../../core/address.ts'
import type { Fetch } from '../../core/http.ts'
import { nodeFetch } from './node-fetch.ts'

interface Address {
  readonly address: string
  readonly family: number
}

/** All addresses of a name. */
export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: readonly Address[]) => void,
) => void

export interface GuardedFetchOptions {
  readonly allowPrivate: boolean
  readonly resolve?: Resolve
}

/**
 * A `fetch` that does not connect to private addresses (SPEC X04). The check is made where a name becomes an
 * address, and the connection goes to the addresses checked: a name cannot change its mind in between.
 */
export function guardedFetch({
  allowPrivate,
  resolve = (hostname, done) => lookupName(hostname, { all: true }, done),
}: GuardedFetchOptions): Fetch {
  const lookup: LookupFunction = (hostname, { all }, done) =>
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? []
      const refused = allowPrivate ? undefined : addresses?.find(isPrivate)
      if (error) done(error, '')
      else if (refused) done(new PrivateAddressError(), '')
      else if (!first) done(new Error('The name has no address.'), '')
      else if (all) done(null, [...addresses])
      else done(null, first.address, first.family)
    })
  const fetch = nodeFetch({ lookup })
  return async (url, init) => {
    if (!allowPrivate && isPrivateHost(new URL(url).hostname)) throw new PrivateAddressError()
    return fetch(url, init)
  }
}

const isPrivate = ({ address }: Address) => isPrivateAddress(address)

class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  readonly code = PRIVATE_ADDRESS_CODE

  constructor() {
    super('The name resolves to a private address.')
  }
}
