/** More digits than any of the numbers here has. */
const maxDigits = 20;
const separators = '\t\n\f\r -';

/**
 * Removes blanks and dashes. For a text that is longer than any number, only the start is processed, because the text
 * may be a megabyte.
 */
function withoutSpaces(text: string): string {
  let plain = '';
  for (let index = 0; index < text.length && plain.length <= maxDigits; index++) {
    if (!separators.includes(text[index]!)) plain += text[index];
  }
  return plain;
}

const digits = (text: string): number[] => [...text].map(Number);

export function isIsbn10(text: string): boolean {
  const plain = withoutSpaces(text);
  if (!/^(?:\d{9}X|\d{10})$/.test(plain)) return false;
  const values = digits(plain.slice(0, 9));
  values.push(plain.endsWith('X') ? 10 : Number(plain[9]));
  return values.reduce((sum, value, index) => sum + (index + 1) * value, 0) % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const plain = withoutSpaces(text);
  if (!/^\d{13}$/.test(plain)) return false;
  return digits(plain).reduce((sum, value, index) => sum + value * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

const cards =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|(?:222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11}|6[27]\d{14})$/;

export function isCreditCard(text: string): boolean {
  const plain = withoutSpaces(text);
  if (!cards.test(plain)) return false;
  const sum = digits(plain)
    .reverse()
    .reduce((total, value, index) => {
      const weighted = index % 2 === 0 ? value : value * 2;
      return total + (weighted > 9 ? weighted - 9 : weighted);
    }, 0);
  return sum % 10 === 0;
}
