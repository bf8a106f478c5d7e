/** Input that cannot be decoded as the expected type. The message follows Go's wording, as in kube-apiserver. */
export class DecodeError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DecodeError';
  }
}
