import { type ASTNode, type Environment, Optional } from '@marcbachmann/cel-js';
import { CelError } from '../cel-error.ts';
import { defineFunctions } from './define-functions.ts';

/** The internals of an environment that a macro needs to bind a variable. */
interface Context {
  forkWithVariable(name: string, type: unknown): Binding;
}

interface Binding extends Context {
  reuse(context: Context): Binding;
  setIterValue(value: unknown, evaluator: Evaluator): Binding;
}

interface Checker {
  check(node: ASTNode, context: Context): { readonly kind: string; readonly valueType?: unknown };
  getType(name: string): unknown;
}

interface Evaluator {
  run(node: ASTNode, context: Context): unknown;
}

interface MacroCall {
  readonly args: readonly [ASTNode, ASTNode];
  readonly receiver: ASTNode;
}

/** `optMap`, `optFlatMap` and `optional.ofNonZeroValue`. */
export function registerOptionals(environment: Environment): void {
  environment.registerFunction('optional.optMap(ast, ast): optional<dyn>', (call: MacroCall) =>
    mapMacro(call, (value) => Optional.of(value)),
  );
  environment.registerFunction('optional.optFlatMap(ast, ast): optional<dyn>', (call: MacroCall) =>
    mapMacro(call, (value) => {
      if (value instanceof Optional) return value;
      throw new CelError('optFlatMap(var, expression) must evaluate to an optional value');
    }),
  );
  defineFunctions(environment, {
    'OptionalNamespace.ofNonZeroValue(A): optional<A>': (_namespace: unknown, value: unknown) =>
      isZero(value) ? Optional.none() : Optional.of(value),
  });
}

function mapMacro({ args: [variable, expression], receiver }: MacroCall, finish: (value: unknown) => unknown): object {
  if (variable.op !== 'id') throw new CelError('optMap(var, expression) needs the name of a variable');
  const name = variable.args;
  let binding: Binding;
  return {
    async: false,
    typeCheck(checker: Checker, _macro: unknown, context: Context): unknown {
      const type = checker.check(receiver, context);
      if (type.kind !== 'optional' && type.kind !== 'dyn') throw new CelError('optMap() is for optional values');
      binding = context.forkWithVariable(name, type.kind === 'optional' ? type.valueType : type);
      checker.check(expression, binding);
      return checker.getType('optional');
    },
    evaluate(evaluator: Evaluator, _macro: unknown, context: Context): unknown {
      const optional = evaluator.run(receiver, context);
      if (!(optional instanceof Optional)) throw new CelError('no such overload: optMap() is for optional values');
      if (!optional.hasValue()) return optional;
      const inner = binding.reuse(context).setIterValue(optional.value(), evaluator);
      return finish(evaluator.run(expression, inner));
    },
  };
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  if (typeof value !== 'object' || value === null) return !value;
  return Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).length === 0;
}
