import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { AuditEvent, AuditSink } from './audit-event.ts';
import { withoutBodies } from './event-line.ts';

const maxEvents = 500;
/** The maximum length of the texts that clients choose. */
const maxCharacters = 1024 * 1024;

/** Keeps the last events without their bodies, and passes all events on to another sink. */
export class RecentEvents implements AuditSink {
  readonly #sink: AuditSink;
  readonly #events: AuditEvent[] = [];
  #characters = 0;

  constructor(sink: AuditSink) {
    this.#sink = sink;
  }

  write(event: AuditEvent): MaybePromise<boolean> {
    const hasBodies = event.requestObject !== undefined || event.responseObject !== undefined;
    const kept = hasBodies ? withoutBodies(event) : event;
    this.#events.push(kept);
    this.#characters += charactersOf(kept);
    while (this.#events.length > maxEvents || this.#characters > maxCharacters) {
      this.#characters -= charactersOf(this.#events.shift()!);
    }
    return this.#sink.write(event);
  }

  /** Returns the last events, the oldest first. */
  last(count: number): readonly AuditEvent[] {
    return this.#events.slice(-count);
  }
}

function charactersOf({ requestURI, userAgent = '', user, impersonatedUser, annotations = {} }: AuditEvent): number {
  return (
    requestURI.length +
    userAgent.length +
    JSON.stringify([user, impersonatedUser]).length +
    Object.values(annotations).reduce((sum, value) => sum + value.length, 0)
  );
}
