/** Returns the first items and the number of omitted ones, or an empty string for an empty list. */
export function shortenedList(items: readonly string[], maxItems: number, separator = ','): string {
  const shown = items.slice(0, maxItems).join(separator);
  return items.length > maxItems ? `${shown} + ${items.length - maxItems} more...` : shown;
}
