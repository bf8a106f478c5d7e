/** A transfer that cannot be done or has failed. The message is for the user. */
export class TransferError extends Error {}
