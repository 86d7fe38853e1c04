/** The JSON of a sandbox result: it contains the params exactly as sent, byte for byte. */
export function sandboxResult(params: string): string {
  return `{"mock":true,"params_echo":${params}}`;
}
