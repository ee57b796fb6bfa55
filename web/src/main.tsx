import { render } from "preact";
import { App } from "./ui/app";
import { keepOffline } from "#offline";
import "./style.css";

render(<App />, document.getElementById("app")!);
keepOffline();
