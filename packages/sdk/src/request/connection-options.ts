/** Connections of the Node transport. */
export interface ConnectionOptions {
  /** Connections per origin for requests that are answered at once. @default 128 */
  readonly connections?: number;
  /**
   * Further connections on which the service lets a job's change be waited for. Jobs beyond this number are polled
   * instead, so that any number of waits blocks no other request. @default 128
   */
  readonly waits?: number;
  /** Proxy URL; `false` ignores HTTP_PROXY, HTTPS_PROXY and NO_PROXY. @default from the environment */
  readonly proxy?: string | false;
  /** PEM certificates to trust in place of the built-in ones, e.g. of a company's inspection proxy. */
  readonly ca?: string | readonly string[];
  /** Milliseconds to make a connection. @default 10000 */
  readonly connectTimeoutMs?: number;
}
