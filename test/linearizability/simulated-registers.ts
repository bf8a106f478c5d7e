import {
  apply,
  type RegisterInput,
  type RegisterOperation,
  type RegisterOutput,
  type RegisterState,
} from './register.ts';

/** A fault that the simulated server has once. */
export type Fault =
  | 'stale read'
  | 'lost update'
  | 'resurrected removal'
  | 'second swap of one value'
  | 'read that goes back';

export interface SimulationOptions {
  readonly random: (limit: number) => number;
  readonly operations: number;
  readonly clients?: number;
  readonly keys?: number;
  /** On average, one in this number of operations has no response. By default, all have one. */
  readonly lostOneIn?: number;
  readonly fault?: Fault;
}

/** Generates a random history of registers. With a fault, it is not linearizable. */
export function simulate({ operations, fault, ...options }: SimulationOptions): RegisterOperation[] {
  const simulation = new Simulation(options);
  if (fault !== undefined) {
    simulation.play(Math.floor(operations / 2));
    plant(fault, simulation);
  }
  simulation.play(operations);
  return simulation.history;
}

interface Running {
  readonly client: string;
  readonly input: RegisterInput;
  readonly invoked: number;
  output?: RegisterOutput;
}

/**
 * At each step, a random client invokes an operation, executes it or returns. The time is the number of invocations and
 * returns.
 */
class Simulation {
  readonly history: RegisterOperation[] = [];
  readonly #random: (limit: number) => number;
  readonly #clients: number;
  readonly #keys: number;
  readonly #lostOneIn: number;
  readonly #states = new Map<string, RegisterState>();
  readonly #running = new Map<string, Running>();
  /** Operations without a response that have not taken effect so far. */
  #lost: Running[] = [];
  #time = 0;
  #value = 0;

  constructor({ random, clients = 5, keys = 2, lostOneIn = 0 }: Omit<SimulationOptions, 'operations' | 'fault'>) {
    this.#random = random;
    this.#clients = clients;
    this.#keys = keys;
    this.#lostOneIn = lostOneIn;
  }

  nextValue(): number {
    return ++this.#value;
  }

  /** Continues until there are this many operations and all clients have their responses. */
  play(operations: number): void {
    while (this.history.length + this.#running.size < operations) {
      this.#advance(`client ${this.#random(this.#clients)}`);
      if (this.#lost.length > 0 && this.#random(20) === 0) this.#find();
    }
    for (const client of this.#running.keys()) while (this.#running.has(client)) this.#advance(client);
    this.#lost = [];
  }

  /** Executes an operation that overlaps with no other. If an output is given, the operation has no effect. */
  alone(input: RegisterInput, output?: RegisterOutput): void {
    const one: Running = { client: 'client', input, invoked: ++this.#time };
    if (output === undefined) this.#takeEffect(one);
    this.#return({ ...one, ...(output !== undefined && { output }) });
  }

  #advance(client: string): void {
    const one = this.#running.get(client);
    if (one === undefined) {
      this.#invoke(client);
    } else if (one.output === undefined) {
      this.#takeEffect(one);
    } else {
      this.#running.delete(client);
      this.#return(one);
    }
  }

  #invoke(client: string): void {
    const one: Running = { client, input: this.#input(`key ${this.#random(this.#keys)}`), invoked: ++this.#time };
    if (this.#lostOneIn > 0 && this.#random(this.#lostOneIn) === 0) {
      this.#lost.push(one);
      this.history.push({ ...one, output: undefined, returned: Number.POSITIVE_INFINITY });
    } else {
      this.#running.set(client, one);
    }
  }

  #input(key: string): RegisterInput {
    const present = this.#states.get(key) ?? null;
    const choice = this.#random(10);
    if (choice < 4) return { verb: 'read', key };
    if (choice < 6) return { verb: 'write', key, value: this.nextValue() };
    if (choice < 9) return { verb: 'swap', key, from: present ?? this.#value, value: this.nextValue() };
    return { verb: 'remove', key };
  }

  #takeEffect(one: Running): void {
    const { next, output } = apply(this.#states.get(one.input.key) ?? null, one.input);
    this.#states.set(one.input.key, next);
    one.output = output;
  }

  #return({ client, input, invoked, output }: Running): void {
    this.history.push({ client, input, output, invoked, returned: ++this.#time });
  }

  /** Lets a random operation without a response take effect much later, or never. */
  #find(): void {
    const one = this.#lost.splice(this.#random(this.#lost.length), 1)[0]!;
    if (this.#random(2) === 0) this.#takeEffect(one);
  }
}

function plant(fault: Fault, simulation: Simulation): void {
  const key = 'key 0';
  const [first, second] = [simulation.nextValue(), simulation.nextValue()];
  simulation.alone({ verb: 'write', key, value: first });
  switch (fault) {
    case 'stale read':
      simulation.alone({ verb: 'write', key, value: second });
      simulation.alone({ verb: 'read', key }, first);
      break;
    case 'lost update':
      simulation.alone({ verb: 'write', key, value: second }, true);
      simulation.alone({ verb: 'read', key });
      break;
    case 'resurrected removal':
      simulation.alone({ verb: 'remove', key }, true);
      simulation.alone({ verb: 'read', key });
      break;
    case 'second swap of one value':
      simulation.alone({ verb: 'swap', key, from: first, value: second });
      simulation.alone({ verb: 'swap', key, from: first, value: simulation.nextValue() }, true);
      break;
    case 'read that goes back':
      simulation.alone({ verb: 'write', key, value: second });
      simulation.alone({ verb: 'read', key });
      simulation.alone({ verb: 'read', key }, first);
      break;
  }
}
