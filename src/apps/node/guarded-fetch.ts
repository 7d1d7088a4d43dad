import { lookup as lookupName } from 'node:dns'
import { Agent, buildConnector, fetch as undiciFetch } from 'undici'
import { isPrivateAddress, isPrivateHost, PRIVATE_ADDRESS_CODE } from '../../core/address.ts'
import { minutes, seconds } from '../../core/duration.ts'

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
}: GuardedFetchOptions): typeof fetch {
  const connect = buildConnector({
    // Handed to `net.connect`, which calls it for every name but not for an address.
    lookup: (hostname, { all }, done) =>
      resolve(hostname, (error, addresses) => {
        const [first] = addresses ?? []
        const refused = allowPrivate ? undefined : addresses?.find(isPrivate)
        if (error) done(error, '')
        else if (refused) done(new PrivateAddressError(), '')
        else if (!first) done(new Error('The name has no address.'), '')
        else if (all) done(null, [...addresses])
        else done(null, first.address, first.family)
      }),
  })
  const agent = new Agent({
    connect: (options, done) => {
      if (!allowPrivate && isPrivateHost(options.hostname)) done(new PrivateAddressError(), null)
      else connect(options, done)
    },
    // A run asks one host again and again, pausing up to a minute when told to, then not for a day.
    keepAliveTimeout: seconds(10),
    keepAliveMaxTimeout: minutes(1),
  })
  // The library's own types and the platform's differ in name only.
  const guarded = (input: string | URL, init?: object) =>
    undiciFetch(input, { ...init, dispatcher: agent })
  return guarded as unknown as typeof fetch
}

const isPrivate = ({ address }: Address) => isPrivateAddress(address)

class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  readonly code = PRIVATE_ADDRESS_CODE

  constructor() {
    super('The name resolves to a private address.')
  }
}
