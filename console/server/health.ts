export interface HealthCheck {
  readonly name: string;
  readonly isOk: boolean;
  readonly text: string;
}

/** Parses the response of a health check with `verbose`: `[+]name ok`, `[-]name failed: reason`. */
export function parseHealth(text: string): HealthCheck[] {
  return [...text.matchAll(/^\[([+-])\](\S+) (.*)$/gm)].map(([, sign, name, rest]) => ({
    name: name!,
    isOk: sign === '+',
    text: rest!,
  }));
}
