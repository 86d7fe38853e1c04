/** Characters of JSON that the data of a result may have: below 8,000 tokens with all that is around it. */
export const RESULT_BUDGET = 24_000;
