// Puts bot.json, what arena tells of the bot, into the module as its section `arena.bot`.
import { readFileSync } from "node:fs";
import { Transform } from "assemblyscript/transform";

export default class extends Transform {
  afterCompile(module) {
    module.addCustomSection("arena.bot", readFileSync("bot.json"));
  }
}
