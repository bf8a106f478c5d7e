import type { Environment } from '@marcbachmann/cel-js';

/** Functions by signature, for example `string.charAt(int): string`. The receiver is the first argument. */
// biome-ignore lint/suspicious/noExplicitAny: the signature says what the arguments are, the checker keeps to it.
export type Functions = Readonly<Record<string, (...values: any[]) => unknown>>;

const synchronous = { async: false };

export function defineFunctions(environment: Environment, functions: Functions): void {
  for (const [signature, implementation] of Object.entries(functions)) {
    environment.registerFunction(signature, implementation, synchronous);
  }
}

/** Returns a predicate that is true for texts that `parse` accepts. */
export function isParsable(parse: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      parse(text);
      return true;
    } catch {
      return false;
    }
  };
}

/** Defines a namespace, such as `sets` in `sets.contains(a, b)`. Its functions receive it as their receiver. */
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
