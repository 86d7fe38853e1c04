/** Connections of the Node transport. */
export interface ConnectionOptions {
  /** Connections per origin. @default 128 */
  readonly connections?: number;
  /** Proxy URL; `false` ignores HTTP_PROXY, HTTPS_PROXY and NO_PROXY. @default from the environment */
  readonly proxy?: string | false;
  /** PEM certificates to trust in place of the built-in ones, e.g. of a company's inspection proxy. */
  readonly ca?: string | readonly string[];
  /** Milliseconds to make a connection. @default 10000 */
  readonly connectTimeoutMs?: number;
}
