import type { Job } from '@changgu/sdk';
import { expect, it } from 'vitest';
import { progressText } from './waiting.ts';

it('tells no percentage of a job that has none', () => {
  const job = { status: 'RUNNING', progressMessage: '조회 중' };
  const told = [40, null, undefined].map((progress) => progressText({ ...job, progress } as Job));
  expect(told).toEqual(['RUNNING 40% 조회 중', 'RUNNING 조회 중', 'RUNNING 조회 중']);
});
