import { useSignal } from '@preact/signals';
import { signIn } from '../state/session.ts';

/** The sign-in form for a token. `isAgain`: the session ended while the page was open. */
export function SignIn({ isAgain }: { isAgain: boolean }) {
  const token = useSignal('');
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    isBusy.value = true;
    try {
      await signIn(token.value.trim());
    } catch (error) {
      problem.value = (error as Error).message;
    }
    isBusy.value = false;
  };
  return (
    <main class="sign-in">
      <form class="sign-in-card" onSubmit={submit}>
        <img src="/console/icon.svg" alt="" width="40" height="40" />
        <h1>{isAgain ? 'Your session has ended' : 'Sign in to Keelson'}</h1>
        <p class="muted">
          {isAgain
            ? 'Sign in again to go on. What is on the page stays.'
            : 'Open the link that the server printed when it started, or enter a token.'}
        </p>
        <label class="field">
          <span>Bearer token</span>
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={token.value}
            onInput={(event) => {
              token.value = event.currentTarget.value;
            }}
            aria-describedby="sign-in-help"
            required
          />
        </label>
        <p id="sign-in-help" class="hint">
          For example one of <code>kubectl create token NAME</code>. A client certificate of the browser needs no token.
        </p>
        {problem.value && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <button type="submit" class="button primary" disabled={isBusy.value}>
          Sign in
        </button>
      </form>
    </main>
  );
}
