import ipaddr from 'ipaddr.js'

/** Whether an address is one that only this machine or its network can mean (SPEC X04). */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return true
  // `process` unwraps IPv4 inside IPv6. Whatever is not plainly public (also 100.64/10, 6to4, NAT64) is private.
  const plain = ipaddr.process(address)
  if (plain.range() !== 'unicast') return true
  // `unicast` is also what no table knows; in IPv6 only 2000::/3 has been given out.
  return plain instanceof ipaddr.IPv6 && !plain.match(GLOBAL_IPV6)
}

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether a URL's host is private by its spelling alone. A name that resolves to a private address is caught
 * where names are resolved: by the `fetch` that an app hands in.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (host === '' || host === 'localhost' || host.endsWith('.localhost')) return true
  return ipaddr.isValid(host) && isPrivateAddress(host)
}

/** The code of the error that a guarded `fetch` throws when a name resolves to a private address. */
export const PRIVATE_ADDRESS_CODE = 'SLUICE_PRIVATE_ADDRESS'
