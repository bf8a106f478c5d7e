/** What a body may weigh: more than any object may have, less than would hurt. */
export const bodyLimit = 3 * 1024 * 1024;
