/** Returns the first items and the number of omitted ones, or an empty string for an empty list. */
export function shortenedList(items: readonly string[], most: number, separator = ','): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}
