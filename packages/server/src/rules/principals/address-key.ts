const GROUPS = 8;
/** Whoever rents one server has a whole /64: 2^64 addresses are one caller. */
const GROUPS_COUNTED = 4;

/** What limits count an address as: IPv4 alone, IPv6 by its /64, and IPv4 inside IPv6 as IPv4. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
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
