import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { proof } from '../api/request.ts';
import { ToastList } from '../shared/toast-list.tsx';
import { startCatalog } from '../state/catalog.ts';
import { startNamespaces } from '../state/namespaces.ts';
import { session } from '../state/session.ts';
import { SignIn } from './sign-in.tsx';
import { Workspace } from './workspace.tsx';

export function App() {
  const wasSignedIn = useRef(false);
  if (session.value?.user) wasSignedIn.current = true;
  const isOut = session.value !== undefined && !session.value.user;
  // With a proof, the user is most likely signed in, so the page does not wait for the response of the server.
  const isIn = wasSignedIn.current || (session.value === undefined && proof.has());
  return (
    <>
      {isIn && <SignedIn key="in" />}
      {isOut && (wasSignedIn.current ? <SignInAgain /> : <SignIn isAgain={false} />)}
      <ToastList />
    </>
  );
}

function SignedIn() {
  useLayoutEffect(() => {
    const controller = new AbortController();
    startCatalog(controller.signal);
    // Requests for the content of the page come first.
    setTimeout(() => startNamespaces(controller.signal));
    return () => controller.abort();
  }, []);
  return <Workspace />;
}

function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="sign-in-again" aria-label="Sign in" onCancel={(event) => event.preventDefault()}>
      <SignIn isAgain />
    </dialog>
  );
}
