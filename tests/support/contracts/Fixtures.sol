// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Contracts that tests deploy on a local node. The `.hex` files beside are their creation code, by solc 0.8.37 with
// `--optimize --evm-version paris --no-cbor-metadata`.

/// A token. `transfer` returns nothing, as USDT's does.
contract Token {
    event Transfer(address indexed from, address indexed to, uint256 units);

    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;

    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 units) external {
        balanceOf[to] += units;
        emit Transfer(address(0), to, units);
    }

    function transfer(address to, uint256 units) external {
        move(to, units);
    }

    /// Two transfers to one address in one transaction.
    function transferTwice(address to, uint256 first, uint256 second) external {
        move(to, first);
        move(to, second);
    }

    function move(address to, uint256 units) private {
        balanceOf[msg.sender] -= units;
        balanceOf[to] += units;
        emit Transfer(msg.sender, to, units);
    }
}

/// A token that exchanges trade, all of it the deployer's. An approval is not replaced by another one, as USDT's is not.
contract TradedToken {
    event Transfer(address indexed from, address indexed to, uint256 units);

    uint8 public constant decimals = 6;

    bytes32 private immutable text;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(bytes32 newSymbol, uint256 units) {
        text = newSymbol;
        balanceOf[msg.sender] = units;
    }

    function symbol() external view returns (string memory) {
        bytes memory letters = bytes.concat(text);
        uint256 length = 0;
        while (length < 32 && letters[length] != 0) length++;
        assembly {
            mstore(letters, length)
        }
        return string(letters);
    }

    function approve(address spender, uint256 units) external returns (bool) {
        require(units == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = units;
        return true;
    }

    function transfer(address to, uint256 units) external returns (bool) {
        return move(msg.sender, to, units);
    }

    function transferFrom(address from, address to, uint256 units) external returns (bool) {
        allowance[from][msg.sender] -= units;
        return move(from, to, units);
    }

    function move(address from, address to, uint256 units) private returns (bool) {
        balanceOf[from] -= units;
        balanceOf[to] += units;
        emit Transfer(from, to, units);
        return true;
    }
}

/// Sends the coins of a call in every way that a trace shows.
contract Payer {
    receive() external payable {}

    /// Sends the value on.
    function forward(address payable to) public payable {
        pay(to, msg.value);
    }

    /// Sends the value on in two parts.
    function forwardTwice(address payable to, uint256 first) external payable {
        pay(to, first);
        pay(to, msg.value - first);
    }

    /// Sends the value on in a call that reverts; the value stays here.
    function failInside(address payable to) external payable {
        try this.forwardAndRevert{value: msg.value}(to) {} catch {}
    }

    function forwardAndRevert(address payable to) external payable {
        pay(to, msg.value);
        revert("not today");
    }

    /// Receives the value, and forwards it in a delegated call: the delegated call itself moves nothing.
    function delegate(address payable to) external payable {
        (bool done, ) = address(this).delegatecall(abi.encodeCall(this.forward, (to)));
        require(done);
    }

    /// A contract is created with the value and destroyed.
    function destroy(address payable to) external payable {
        new Destroyed{value: msg.value}(to);
    }

    /// Sends the value on at a depth of calls.
    function nest(address payable to, uint256 depth) external payable {
        if (depth == 0) {
            pay(to, msg.value);
        } else {
            this.nest{value: msg.value}(to, depth - 1);
        }
    }

    function pay(address payable to, uint256 units) private {
        (bool done, ) = to.call{value: units}("");
        require(done);
    }
}

contract Destroyed {
    constructor(address payable to) payable {
        selfdestruct(to);
    }
}

/// Makes many transfers in one transaction, half of them to an address, the others to as many others.
contract Spammer {
    function spam(Token token, address to, uint160 pairs) external {
        for (uint160 i = 1; i <= pairs; ++i) {
            token.mint(to, 1);
            token.mint(address(i), 1);
        }
    }
}

/// A price feed, Chainlink's `AggregatorV3Interface`, whose rounds and description anyone sets.
contract PriceFeed {
    uint8 public constant decimals = 8;

    bytes32 private text;
    uint80 private round;
    int256 private answer;
    uint256 private startedAt;
    uint256 private updatedAt;

    /// Text that ends at the first zero byte.
    function describe(bytes32 newText) external {
        text = newText;
    }

    /// The next round.
    function update(int256 newAnswer, uint256 newStartedAt, uint256 newUpdatedAt) external {
        ++round;
        answer = newAnswer;
        startedAt = newStartedAt;
        updatedAt = newUpdatedAt;
    }

    function description() external view returns (string memory) {
        uint256 length = 0;
        while (length < 32 && text[length] != 0) ++length;
        bytes memory shown = new bytes(length);
        for (uint256 i = 0; i < length; ++i) shown[i] = text[i];
        return string(shown);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (round, answer, startedAt, updatedAt, round);
    }
}
