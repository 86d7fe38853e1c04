/** Maximum characters of JSON in a result's data: below 8,000 tokens including everything around it. */
export const RESULT_BUDGET = 24_000;
