import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedLetter {
  readonly to: string;
  readonly text: string;
  readonly messageId: string;
}

/** A real SMTP server that keeps what it takes. */
export interface Mailbox {
  /** For CHANGGU_SMTP_URL. */
  readonly url: string;
  readonly received: readonly ReceivedLetter[];
  /** The newest letter to an address whose text holds `part`, as soon as there is one. */
  letterTo(address: string, part: string): Promise<ReceivedLetter>;
  /** Refuses every recipient with this code until it is null again. */
  refuseWith(code: number | null): void;
  /** How many recipients were refused. */
  refused(): number;
  close(): Promise<void>;
}

export async function openMailbox(): Promise<Mailbox> {
  const received: ReceivedLetter[] = [];
  const waiting = new Set<() => void>();
  let refusal: number | null = null;
  let refused = 0;
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'user' && password === 'p@ss'
        ? done(null, { user: username })
        : done(new Error('wrong')),
    onRcptTo(_address, _session, done) {
      if (refusal === null) return done();
      refused += 1;
      done(Object.assign(new Error('refused'), { responseCode: refusal }));
    },
    onData(stream, { envelope }, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address).join();
        received.push({ to, ...readMessage(Buffer.concat(pieces).toString()) });
        done();
        for (const look of waiting) look();
      });
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  // A TCP server that listens has one.
  const { port } = smtp.server.address() as AddressInfo;
  return {
    url: `smtp://user:p%40ss@127.0.0.1:${port}`,
    received,
    letterTo(address, part) {
      return new Promise((resolve) => {
        const look = () => {
          const found = received.findLast(({ to, text }) => to === address && text.includes(part));
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    },
    refuseWith(code) {
      refusal = code;
    },
    refused: () => refused,
    close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  };
}

function readMessage(raw: string): Omit<ReceivedLetter, 'to'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const coded = rest.join('\r\n\r\n');
  const isBase64 = /^content-transfer-encoding: base64/im.test(head);
  const text = isBase64 ? Buffer.from(coded, 'base64').toString() : fromQuotedPrintable(coded);
  return { text, messageId: /^message-id: (.+)$/im.exec(head)?.[1] ?? '' };
}

function fromQuotedPrintable(coded: string): string {
  const bytes = coded
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
