import type { IncomingMessage } from 'node:http';
import type { Origin } from '../rules/principals/actor.ts';

/** Where the requests come from that the library answers, which knows no more of them than Node does. */
export const REQUEST_ORIGINS = new WeakMap<IncomingMessage, Origin>();
