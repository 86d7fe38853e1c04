import { describe, expect, it } from 'vitest';
import { modelTokens } from '../../test/model-tokens.ts';
import { modelSize } from './model-size.ts';

const TEXTS = {
  'a table': Array.from({ length: 300 }, (_, at) => [at, '20261101T180211', 1_250_000 + at, 0]),
  'a table of words': Array.from({ length: 300 }, (_, at) => [at % 3 ? `거래처 ${at % 7}` : null]),
  rows: Array.from({ length: 100 }, (_, at) => ({
    row_index: at,
    memo: { untrusted_text: '급여' },
  })),
  'Korean sentences':
    '상실신고서를 제출하지 않으면 보험료가 계속 부과됩니다. 두루누리 지원 대상 사업장은 따로 신고합니다.'.repeat(
      20,
    ),
  'English sentences':
    'The institution refused the value. Correct it and call again with a new request_id. '.repeat(
      20,
    ),
};

describe('the estimated size of what a model reads', () => {
  it.each(Object.entries(TEXTS))(
    'is not below what tokenizers make of %s, nor far above it',
    (_name, value) => {
      const real = modelTokens(value);
      expect(modelSize(value)).toBeGreaterThanOrEqual(real * 0.95);
      expect(modelSize(value)).toBeLessThanOrEqual(real * 1.6);
    },
  );
});
