import { describe, expect, it } from 'vitest';
import { type CallIdentity, SubmissionKeys } from './submission-keys.ts';

const READ: CallIdentity = {
  action: 'bank_a.accounts.list',
  request: { params: { a: 1, b: 2 } },
  requestId: undefined,
  irreversible: false,
};

describe('the key of a call (D125)', () => {
  it('is that of its retry, whatever the order of its arguments, and also across a boundary of time', () => {
    let now = 119_000;
    const keys = new SubmissionKeys('me', () => now);
    const first = keys.keyFor(READ);
    now = 121_000;
    expect(keys.keyFor({ ...READ, request: { params: { b: 2, a: 1 } } })).toBe(first);
    now = 119_000 + 120_000;
    expect(keys.keyFor(READ)).not.toBe(first);
  });

  it('is found again by another process of the same principal, and by no other', () => {
    const key = new SubmissionKeys('me', () => 1_000).keyFor(READ);
    expect(new SubmissionKeys('me', () => 50_000).keyFor(READ)).toBe(key);
    expect(new SubmissionKeys('you', () => 1_000).keyFor(READ)).not.toBe(key);
  });

  it('follows from request_id alone, for ever', () => {
    let now = 0;
    const keys = new SubmissionKeys('me', () => now);
    const named = { ...READ, requestId: 'r1' };
    const key = keys.keyFor(named);
    now = 10 ** 9;
    expect(keys.keyFor({ ...named, request: {} })).toBe(key);
    expect(key).toMatch(/^[!-~]{1,128}$/);
  });

  it('is new once a failure without effect was told, also under the same request_id', () => {
    const keys = new SubmissionKeys('me', () => 0);
    const first = keys.keyFor(READ);
    keys.rememberJob(READ, 'job_1');
    keys.forgetJob('job_1');
    expect(keys.keyFor(READ)).not.toBe(first);
    const named = { ...READ, requestId: 'r1' };
    const key = keys.keyFor(named);
    keys.rememberJob(named, 'job_2');
    keys.forgetJob('job_2');
    expect(keys.keyFor(named)).not.toBe(key);
  });

  it('is known to have been sent while there is a job, or for a while if that is not known', () => {
    let now = 0;
    const keys = new SubmissionKeys('me', () => now);
    const act = { ...READ, requestId: 'r1', irreversible: true };
    keys.rememberSent(act, null);
    expect(keys.wasSent(act)).toBe(true);
    now = 600_000;
    expect(keys.wasSent(act)).toBe(false);
    keys.rememberJob(act, 'job_1');
    expect(keys.wasSent(act)).toBe(true);
    expect(keys.wasSent({ ...act, request: {} })).toBe(false);
  });

  it('counts that time from when the request was sent, not from the question to a person before it', () => {
    let now = 0;
    const keys = new SubmissionKeys('me', () => now);
    const act = { ...READ, requestId: 'r1', irreversible: true };
    keys.keyFor(act);
    now = 660_000;
    keys.rememberSent(act, null);
    now += 599_999;
    expect(keys.wasSent(act)).toBe(true);
    now += 1;
    expect(keys.wasSent(act)).toBe(false);
  });

  it('is not of a request that counts as sent once the service refused it', () => {
    const keys = new SubmissionKeys('me', () => 0);
    keys.rememberSent(READ, null);
    keys.rememberRefusal(READ);
    expect(keys.wasSent(READ)).toBe(false);
    keys.rememberSent(READ, null);
    expect(keys.wasSent(READ)).toBe(true);
  });

  it('stays the same for another process that saw the same failures', () => {
    const keysOf = () => {
      const keys = new SubmissionKeys('me', () => 1_000);
      const first = keys.keyFor(READ);
      keys.rememberJob(READ, 'job_1');
      keys.forgetJob('job_1');
      return [first, keys.keyFor(READ)];
    };
    expect(keysOf()).toEqual(keysOf());
  });

  it('of a login is new once its session is gone', () => {
    let now = 1_000;
    const keys = new SubmissionKeys('me', () => now);
    const login = { ...READ, action: 'tax_portal.s1.login' };
    const [first, read] = [keys.keyFor(login), keys.keyFor(READ)];
    now += 1_000;
    keys.forgetLogin('tax_portal.s1.login');
    expect(keys.keyFor(login)).not.toBe(first);
    expect(keys.keyFor(READ)).toBe(read);
  });

  it('of a login is new once its session is gone, also where another process had logged in', () => {
    const login = { ...READ, action: 'tax_portal.s1.login' };
    const first = new SubmissionKeys('me', () => 1_000).keyFor(login);
    const later = new SubmissionKeys('me', () => 2_000);
    later.forgetLogin('tax_portal.s1.login');
    const second = later.keyFor(login);
    expect(second).not.toBe(first);
    expect(later.keyFor(login)).toBe(second);
    later.rememberJob(login, 'job_2');
    later.forgetJob('job_2');
    expect(later.keyFor(login)).not.toBe(second);
  });
});
