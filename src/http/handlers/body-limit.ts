/** The maximum size of a request body: larger than any object may be. */
export const bodyLimit = 3 * 1024 * 1024;
