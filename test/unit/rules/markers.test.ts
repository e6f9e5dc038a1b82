import { join } from "node:path";
import { checkMarkerFolder } from "../../markers/check";
import { answerRules } from "../../markers/rules";

checkMarkerFolder(join(__dirname, "../../markers/rules"), answerRules);
