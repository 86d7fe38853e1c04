// The types of node-forge know its whole only, which is ten times what is used.
declare module 'node-forge/lib/util.js' {
  export interface ByteBuffer {
    getBytes(): string;
  }
  const util: { createBuffer(bytes: string): ByteBuffer };
  export default util;
}

declare module 'node-forge/lib/rc2.js' {
  import type { ByteBuffer } from 'node-forge/lib/util.js';

  interface Decryption {
    readonly output: ByteBuffer;
    start(iv: string): void;
    update(input: ByteBuffer): void;
    /** False when the padding is wrong. */
    finish(): boolean;
  }
  const rc2: { createDecryptionCipher(key: string, bits: number): Decryption };
  export default rc2;
}
