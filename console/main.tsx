/** The web console: pages that show a server to a user. They use the API of the server as that user. */
import './styles/main.css';
import { render } from 'preact';
import { startClock } from './shared/now.ts';
import { App } from './shell/app.tsx';
import { startRouter } from './state/router.ts';
import { startSession, watchSession } from './state/session.ts';
import { startTheme } from './state/theme.ts';
import { showError } from './state/toasts.ts';

startTheme();
startRouter();
startClock();
watchSession();
startSession().catch(showError);
render(<App />, document.getElementById('app')!);
