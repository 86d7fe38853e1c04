import { getEventListeners } from 'node:events';
import { Changgu, type ClientOptions } from '@changgu/sdk';
import { FakeService, type FakeServiceOptions } from '@changgu/sdk/testing';

export const ACTION = 'bank_b.accounts.list';
export const HISTORY = 'bank_b.accounts.transaction_history.search';

/** A fake service and a client of it, in one virtual time and without jitter. */
export function fake(options: ClientOptions = {}, serviceOptions: FakeServiceOptions = {}) {
  const service = new FakeService(serviceOptions);
  const client = new Changgu({ ...service.clientOptions, random: () => 0, ...options });
  const run = <T>(work: Promise<T>): Promise<T> => service.clock.runUntil(work);
  return { service, client, clock: service.clock, run };
}

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It succeeded.');
}

/** An abort signal that knows how many listeners are on it. */
export function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  return { controller, signal, listeners: () => getEventListeners(signal, 'abort').length };
}
