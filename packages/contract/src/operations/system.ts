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
  summary: 'Check the service and its database',
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
  summary: 'Liveness check',
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
  summary: 'Readiness check; fails while the server is shutting down',
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
      description: 'The new business time, after all due sweeps have run',
      schema: Type.Object({ now: KstTime }, { $id: 'TestClockAdvanceResponse', ...strict }),
    },
  },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});
