import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly id: string;
  readonly type: string;
}

export type Answer = (response: ServerResponse, message: ReceivedMessage) => void;

/** A receiver of webhooks on loopback, which keeps what it is sent. */
export interface WebhookReceiver {
  readonly url: string;
  readonly messages: readonly ReceivedMessage[];
  /** How many messages to a path were waiting for their answers at the same time, at most. */
  mostWaiting(path: string): number;
  /** How it answers from now on; 204 unless told. */
  answer: Answer;
  /** Resolves with the messages that are meant, once there are so many. */
  received(
    count: number,
    isMeant?: (message: ReceivedMessage) => boolean,
  ): Promise<ReceivedMessage[]>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<WebhookReceiver> {
  const messages: ReceivedMessage[] = [];
  let looks: (() => void)[] = [];
  const waiting = new Map<string, { now: number; most: number }>();
  function count(path: string, response: ServerResponse): void {
    const there = waiting.get(path) ?? { now: 0, most: 0 };
    waiting.set(path, there);
    there.now += 1;
    there.most = Math.max(there.most, there.now);
    response.once('close', () => {
      there.now -= 1;
    });
  }
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { url: path = '/', headers } = request;
    const { type } = body === '' ? { type: '' } : JSON.parse(body);
    const message = { path, headers, body, id: String(headers['webhook-id']), type };
    messages.push(message);
    count(path, response);
    for (const look of looks) look();
    receiver.answer(response, message);
  }
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    messages,
    mostWaiting: (path) => waiting.get(path)?.most ?? 0,
    answer: (response) => void response.writeHead(204).end(),
    received(count, isMeant = () => true) {
      return new Promise((resolve) => {
        const look = () => {
          const meant = messages.filter(isMeant);
          if (meant.length < count) return;
          looks = looks.filter((each) => each !== look);
          resolve(meant);
        };
        looks.push(look);
        look();
      });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

export const answering =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);
