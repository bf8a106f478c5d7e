/** The first few of a list, and how many more there are. Empty for an empty list. */
export function shortenedList(items: readonly string[], most: number, separator = ','): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}
