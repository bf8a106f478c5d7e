/** Input that cannot be read as what it should be. The message follows Go's wording, which clients know. */
export class DecodeError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DecodeError';
  }
}
