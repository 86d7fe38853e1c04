/** JSON of a sandbox result: the params are in it as they were sent, byte for byte (D72, R37). */
export function sandboxResult(params: string): string {
  return `{"mock":true,"params_echo":${params}}`;
}
