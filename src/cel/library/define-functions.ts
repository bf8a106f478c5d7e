import type { Environment } from '@marcbachmann/cel-js';

/** Functions by their signatures, such as `string.charAt(int): string`; the receiver is the first argument. */
// biome-ignore lint/suspicious/noExplicitAny: the signature says what the arguments are, the checker keeps to it.
export type Functions = Readonly<Record<string, (...values: any[]) => unknown>>;

const synchronous = { async: false };

export function defineFunctions(environment: Environment, functions: Functions): void {
  for (const [signature, implementation] of Object.entries(functions)) {
    environment.registerFunction(signature, implementation, synchronous);
  }
}

/** Whether a text is one of those that can be parsed. */
export function canBe(parse: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      parse(text);
      return true;
    } catch {
      return false;
    }
  };
}

/** A name before the dot, such as `sets` in `sets.contains(a, b)`; its functions get it as their receiver. */
export function defineNamespace(environment: Environment, name: string, functions: Functions): void {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Namespace`;
  const Namespace = class {};
  environment.registerType(type, Namespace);
  environment.registerConstant(name, type, new Namespace());
  for (const [signature, implementation] of Object.entries(functions)) {
    environment.registerFunction(
      `${type}.${signature}`,
      (_namespace, ...values) => implementation(...values),
      synchronous,
    );
  }
}
