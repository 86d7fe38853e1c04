/** As in `engines` of package.json; a test keeps them equal. Here, because older versions cannot import JSON. */
export const REQUIRED_NODE = '24.11';

/** @param version like `24.11.0` */
export function isNodeSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [requiredMajor = 0, requiredMinor = 0] = REQUIRED_NODE.split('.').map(Number);
  return major > requiredMajor || (major === requiredMajor && minor >= requiredMinor);
}
