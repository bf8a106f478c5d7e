/** Whether `npm run test:long` runs. Tests then run all of their cases instead of a selection. */
export const isLong = process.env.TEST_LONG !== undefined;
