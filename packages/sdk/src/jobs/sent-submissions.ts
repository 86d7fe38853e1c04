import { jsonText } from '../json-text.ts';
import type { PreparedSubmission } from './prepared.ts';
import type { SubmitRequest } from './submit-request.ts';

/** Number of submissions remembered; the oldest are forgotten first. */
const MAX_REMEMBERED = 256;

interface Remembered {
  readonly digest: string;
  readonly prepared: PreparedSubmission;
}

/**
 * What requests with secrets were turned into, by key. Encryption is randomized, so the same request under the same key
 * must send the same bytes, or the service sees another request. Contains ciphertext and a digest, never a plain secret.
 */
export class SentSubmissions {
  readonly #byKey = new Map<string, Remembered>();
  #salt: string | undefined;

  /** The submission that this exact request became before, or a new one that is remembered. */
  async resolve<A extends string>(
    request: SubmitRequest<A> & { readonly idempotencyKey: string },
    prepare: () => Promise<PreparedSubmission<A>>,
  ): Promise<PreparedSubmission<A>> {
    const { idempotencyKey: key } = request;
    const digest = await this.#digest(request);
    const known = () => {
      const remembered = this.#byKey.get(key);
      // Equal digests mean equal actions.
      return remembered?.digest === digest ? (remembered.prepared as PreparedSubmission<A>) : null;
    };
    // Those who submit it at the same time prepare it each within the limits of their call, and send the first.
    const prepared = known() ?? (await prepare());
    const first = known();
    if (first) return first;
    this.#byKey.delete(key);
    this.#byKey.set(key, { digest, prepared });
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size > MAX_REMEMBERED && oldest !== undefined) this.#byKey.delete(oldest);
    return prepared;
  }

  async #digest<A extends string>(request: SubmitRequest<A>): Promise<string> {
    // Not before there is something to digest: WebCrypto is loaded by its first use.
    this.#salt ??= crypto.randomUUID();
    // Text and bytes of the same characters are two secrets.
    const secrets = Object.entries(request.secrets ?? {}).map(([name, value]) => [
      name,
      typeof value,
      String(value),
    ]);
    const text = jsonText([this.#salt, { ...request, secrets }]);
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return new Uint8Array(hash).join(' ');
  }
}
