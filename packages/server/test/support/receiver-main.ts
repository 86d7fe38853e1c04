/**
 * A receiver of webhooks as a program: it writes down each id, with the milliseconds since the event, and only then
 * takes the message. Prints its port once it listens.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const [file = '', port = '0'] = process.argv.slice(2);

const server = createServer((request, response) => {
  void json(request).then((event) => {
    const { event_id: id, occurred_at: at } = Object(event);
    appendFileSync(file, `${id} ${Date.now() - Date.parse(at)}\n`);
    response.writeHead(204).end();
  });
});
server.listen(Number(port), '127.0.0.1', () => {
  console.log(Object(server.address()).port);
});
