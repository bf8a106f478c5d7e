/**
 * Problems in well-formed input. They are collected until the whole body is known to be well-formed, because Kubernetes
 * checks in this order: well-formedness, the outermost keys, the rest.
 */
export class Refusals {
  /** Whether the current item is a key of the outermost map or is not inside any container. */
  outermost = true;
  /** The first problem at the outermost level. */
  first: string | undefined;
  /** The first problem at a deeper level. */
  firstInside: string | undefined;

  note(message: string): void {
    if (this.outermost) this.first ??= message;
    else this.firstInside ??= message;
  }
}
