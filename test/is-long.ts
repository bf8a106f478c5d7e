/** Whether `npm run test:long` runs: with all cases of tests that `npm test` runs with a selection of them. */
export const isLong = process.env.TEST_LONG !== undefined;
