"""Prints the usage of scripts/match.sh, without any library that would have to be installed."""

from command_line import parser

parser().print_help()
