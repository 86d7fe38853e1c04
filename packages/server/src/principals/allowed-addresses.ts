import { BlockList, isIP } from 'node:net';

const BITS = { 4: 32, 6: 128 } as const;

/** Parses `203.0.113.0/24`, `2001:db8::/32` or a single address; null for anything else. */
function subnetOf(text: string) {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || rest.length > 0) return null;
  const bits = prefix === undefined ? BITS[family] : Number(prefix);
  const isPrefix = prefix === undefined || /^\d{1,3}$/.test(prefix);
  if (!isPrefix || bits > BITS[family]) return null;
  return { address, bits, family: family === 4 ? ('ipv4' as const) : ('ipv6' as const) };
}

export function isAddressRange(text: string): boolean {
  return subnetOf(text) !== null;
}

/** Whether one of the ranges contains the address. IPv4-mapped IPv6 counts as IPv4; no range contains a missing one. */
export function isAllowedAddress(ranges: readonly string[], address: string | null): boolean {
  if (address === null) return false;
  const list = new BlockList();
  for (const range of ranges) {
    const subnet = subnetOf(range);
    if (subnet !== null) list.addSubnet(subnet.address, subnet.bits, subnet.family);
  }
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.split('%', 1)[0];
  const family = isIP(plain ?? '');
  if (plain === undefined || family === 0) return false;
  return list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}
