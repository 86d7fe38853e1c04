import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { KstTime, strict } from '../schemas/vocabulary.ts';

export const HealthResponse = Type.Object(
  {
    status: Type.Literal('ok'),
    service: Type.String(),
    version: Type.Literal('2.0.0'),
    time: KstTime,
  },
  { $id: 'HealthResponse', ...strict },
);

export const health = defineOperation({
  id: 'health',
  method: 'GET',
  path: '/health',
  tag: 'system',
  summary: 'Is the service up, with its store?',
  may: 'anyone',
  environment: 'none',
  responses: { 200: { description: 'Up', schema: HealthResponse } },
  errors: ['SERVICE_UNAVAILABLE'],
});

export const healthLive = defineOperation({
  id: 'healthLive',
  method: 'GET',
  path: '/health/live',
  tag: 'system',
  summary: 'Is the process alive?',
  may: 'anyone',
  environment: 'none',
  responses: { 200: { description: 'Alive', schema: HealthResponse } },
  errors: [],
  addition: true,
});

export const healthReady = defineOperation({
  id: 'healthReady',
  method: 'GET',
  path: '/health/ready',
  tag: 'system',
  summary: 'May requests be sent here? Not while draining.',
  may: 'anyone',
  environment: 'none',
  responses: { 200: { description: 'Ready', schema: HealthResponse } },
  errors: ['SERVICE_UNAVAILABLE'],
  addition: true,
});

export const advanceTestClock = defineOperation({
  id: 'advanceTestClock',
  method: 'POST',
  path: '/v1/test-clock/advance',
  tag: 'system',
  summary: 'Move business time forward (dev mode only)',
  may: { admin_user: true },
  environment: 'none',
  body: Type.Object(
    { seconds: Type.Integer({ minimum: 0, maximum: 366 * 24 * 3600 }) },
    { $id: 'TestClockAdvanceRequest', ...strict },
  ),
  responses: {
    200: {
      description: 'Business time now, after the sweeps it made due have run',
      schema: Type.Object({ now: KstTime }, { $id: 'TestClockAdvanceResponse', ...strict }),
    },
  },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});
