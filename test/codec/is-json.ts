/** Whether a value can be written in JSON, and says the same when it is read again. */
export function isJson(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed();
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || Object.entries(value).every(([key, part]) => key.isWellFormed() && isJson(part));
    case 'bigint':
    case 'boolean':
      return true;
    default:
      // The place of a default that has not been set yet.
      return value === undefined;
  }
}
