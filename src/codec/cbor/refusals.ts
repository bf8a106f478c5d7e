/**
 * What is well-formed but not accepted. It is kept until all is known to be well-formed, because that is the order in
 * which Kubernetes looks at a body: well-formed first, then the outermost keys, then the rest.
 */
export class Refusals {
  /** Whether what is read is an outermost key, or is not inside of anything. */
  outermost = true;
  /** The first one of what is outermost. */
  first: string | undefined;
  /** The first one of the rest. */
  firstInside: string | undefined;

  note(message: string): void {
    if (this.outermost) this.first ??= message;
    else this.firstInside ??= message;
  }
}
