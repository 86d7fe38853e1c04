const GROUPS = 8;
/** Anyone who rents a server has a whole /64, so its 2^64 addresses count as one caller. */
const GROUPS_COUNTED = 4;

/** How limits count an address: IPv4 as it is, IPv6 by its /64, and IPv4-mapped IPv6 as IPv4. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return `${groupsOf(address).slice(0, GROUPS_COUNTED).join(':')}::/64`;
}

function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = withoutZone(address).split('::');
  const before = partsOf(head);
  const after = partsOf(tail);
  const zeros = Array<string>(Math.max(0, GROUPS - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16));
}

function partsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

function withoutZone(address: string): string {
  return address.split('%', 1)[0] ?? address;
}
